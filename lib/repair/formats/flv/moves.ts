/** How many pairs of numbers stand the wrong way round, by sorting them in runs that grow (merge sort). The numbers are sorted then. */
export function inversionsOf(numbers: Float64Array): number {
  let from: Float64Array = numbers;
  let to: Float64Array = new Float64Array(numbers.length);
  let count = 0;
  for (let width = 1; width < numbers.length; width *= 2) {
    for (let begin = 0; begin < numbers.length; begin += 2 * width) count += merge(from, to, begin, width);
    [from, to] = [to, from];
  }
  if (from !== numbers) numbers.set(from);
  return count;
}

/** Merges two sorted runs of a length from a place on; how many of the first each of the second had to pass. */
function merge(from: Float64Array, to: Float64Array, begin: number, width: number): number {
  const middle = Math.min(begin + width, from.length);
  const end = Math.min(middle + width, from.length);
  let [left, right, count] = [begin, middle, 0];
  for (let place = begin; place < end; place++) {
    const first = from[left] ?? 0;
    const second = from[right] ?? 0;
    if (right >= end || (left < middle && first <= second)) {
      to[place] = first;
      left++;
    } else {
      to[place] = second;
      right++;
      count += middle - left;
    }
  }
  return count;
}
