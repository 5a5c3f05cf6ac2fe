"""Figure: heads of the pretrained model."""
