import type { Damage } from '../facts/photo';

/** Sentences of what is wrong with the first bytes of a photo. */
const heads = {
  signature: 'The signature at the beginning was missing.',
  mark: 'The mark that begins the picture was missing.',
  lead: 'The head of the file, which leads to the description of the picture, is damaged.',
  damaged: 'The head of the file is damaged.',
  preview: 'The picture inside is not where the head says.',
};

export function headDetail(damage: Extract<Damage, { kind: 'head' }>): string {
  if (damage.how !== 'before') return heads[damage.how];
  const count = damage.bytes === undefined ? '' : `${damage.bytes} `;
  return `Before the picture there were ${count}bytes that do not belong to it.`;
}
