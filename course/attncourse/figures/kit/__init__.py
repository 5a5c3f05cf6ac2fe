"""The kit of all figures: pictures, panels, and JavaScript that draws."""
