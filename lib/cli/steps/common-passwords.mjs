import { createRequire } from 'node:module';
import { resolve } from 'node:path';

const NOTE = '// Written by lib/cli/steps/common-passwords.mjs from @zxcvbn-ts/language-common. Not to be edited.\n';

/** How many are advised against, and the lengths that a new password may have. */
const COUNT = 10_000;
const LENGTHS = { min: 6, max: 32 };

/**
 * The text of the module with the most used passwords: of those that may be chosen at all, the first 10,000 of a list
 * that is ordered by how often each was seen. In the order of the alphabet, in which they compress to 32 kB.
 */
export function commonPasswordsModule(root = '.') {
  // Asked for here and not above: the steps are loaded before anything is installed.
  const { dictionary } = createRequire(resolve(root, 'package.json'))('@zxcvbn-ts/language-common');
  const allowed = dictionary['passwords-common'].filter(({ length }) => length >= LENGTHS.min && length <= LENGTHS.max);
  const text = allowed.slice(0, COUNT).sort().join(' ');
  return `${NOTE}\n/** The most used passwords, lower-case, with a space between each two. */\nexport const commonPasswords = ${JSON.stringify(text)};\n`;
}
