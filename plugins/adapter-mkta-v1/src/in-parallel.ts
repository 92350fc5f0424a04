/** Runs `work` on each item, at most `atOnce` at a time. Returns the results in order. */
export async function inParallel<Item, Result> (
  items: readonly Item[],
  atOnce: number,
  work: (item: Item) => Promise<Result>
): Promise<Result[]> {
  const results = new Map<number, Result>()
  let next = 0
  async function run (): Promise<void> {
    for (let index = next++; index < items.length; index = next++) {
      const item = items[index]
      if (item !== undefined) results.set(index, await work(item))
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, run))
  return [...results].toSorted(([a], [b]) => a - b).map(([, result]) => result)
}
