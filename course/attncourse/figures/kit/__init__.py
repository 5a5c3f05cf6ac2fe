"""What all figures share: pictures, panels, and JavaScript that draws."""
