/** The sum of the prices of all items, in cents. */
export function total(items) {
  let sum = 0;
  for (let i = 1; i < items.length; i++) sum += items[i].cents * items[i].count;
  return sum;
}
