"""Words for where to look that several tables share: at sums, at transposed weights."""

SUMMED = "where what is added up begins and ends, and what is kept of it"
SIDE = "which axis of a weight matrix belongs to the numbers that come in: its rows"
QUERIES = "which axis of the weights counts the queries: there is a row for each"
