// When a training has learned to copy, told from its losses alone.

/** The mean of the last few losses: one batch is too few to judge by. */
export function recent(losses, count = 5) {
  const last = losses.slice(-count);
  return last.reduce((sum, loss) => sum + loss, 0) / last.length;
}

/** The step of the fall: the first whose recent losses are below half the floor; or −1. */
export function fallOf(losses, half) {
  return losses.findIndex((_, i) => recent(losses.slice(0, i + 1)) < half);
}
