/** What befalls files, in the order in which the results show it. */
export const damageClasses = [
  'Cut short',
  'Beginning lost or overwritten',
  'Index or directory lost',
  'Headers wrong or wiped',
  'Data overwritten inside',
  'Data lost or added inside',
  'Sent as text',
  'Foreign data before or behind',
] as const;

export type DamageClass = (typeof damageClasses)[number];

/** The class of a recipe by its name: the first line that fits. */
const rules: readonly (readonly [RegExp, DamageClass])[] = [
  [/became/, 'Sent as text'],
  [/^junk|^zeroes of|behind the end/, 'Foreign data before or behind'],
  [/^truncated|^tail of|^EOI|^IEND|^end record/, 'Cut short'],
  [/^recording stopped|^index|^half of index|^200 bytes of index|^moov of/, 'Index or directory lost'],
  [/central directory|^directory|allocation table|^xref|^trailer|^startxref/, 'Index or directory lost'],
  [/^catalogue|^page tree|^tables of the stream|^header list/, 'Index or directory lost'],
  [/^head of|^header|^signature|^SOI|^ftyp|^first 100|^half of Matroska|^mdat header/, 'Beginning lost or overwritten'],
  [/^byte order wiped|^IHDR (?:zeroed|cut)|^RIFF|^WEBP/, 'Beginning lost or overwritten'],
  [/lost|gap|put in|inserted|loses|gains|added|cut short inside/, 'Data lost or added inside'],
  [/^noise|^zeros in|^block of|flipped|^scan has|^a moof|overwritten$/, 'Data overwritten inside'],
];

/** The class of damage that a recipe belongs to; what no line takes changes single fields of headers. */
export function damageClassOf(recipe: string): DamageClass {
  return rules.find(([pattern]) => pattern.test(recipe))?.[1] ?? 'Headers wrong or wiped';
}
