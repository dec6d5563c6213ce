import { commonPasswords } from '@/lib/content/generated/common-passwords';

const known = new Set(commonPasswords.split(' '));

/** True for one of the 10,000 most used passwords, however its letters are written and whatever stands around it in spaces. */
export function isCommonPassword(password: string): boolean {
  return known.has(password.trim().toLowerCase());
}
