"""Tables of mistakes, and detectors, that several exercises share."""
