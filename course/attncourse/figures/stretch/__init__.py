"""The figure of stretched rotations: which pairs stand where training had them."""
