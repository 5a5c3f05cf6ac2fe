"""Figure: heads of the pretrained model, in stored sentences and in one's own."""
