/** The first place of a sorted list from which on something is so. */
export function lowerBound<Item>(items: readonly Item[], isSo: (item: Item) => boolean): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isSo(items[middle]!)) high = middle;
    else low = middle + 1;
  }
  return low;
}
