const UNITS = ['bytes', 'kB', 'MB', 'GB'] as const;

/** A size for people, in steps of 1,024 as the limits are counted: `1536` is "1.5 kB". */
export function readableSize(bytes: number): string {
  if (bytes === 1) return '1 byte';
  let unit = 0;
  let value = bytes;
  while (value >= 1024 && unit < UNITS.length - 1) {
    value /= 1024;
    unit += 1;
  }
  const digits = unit === 0 || value >= 100 ? 0 : 1;
  return `${value.toFixed(digits)} ${UNITS[unit] ?? 'GB'}`;
}
