/** Words that people use for the same thing; a search for one finds the others. */
const sameThing: readonly (readonly string[])[] = [
  ['refund', 'money back', 'money-back', 'reimburse', 'guarantee'],
  ['withdraw', 'withdrawal', 'return', 'revoke'],
  ['license', 'licence', 'serial', 'activation', 'key'],
  ['price', 'cost', 'pricing', 'expensive'],
  ['invoice', 'receipt', 'bill'],
  ['login', 'log in', 'sign in', 'signin', 'log on'],
  ['virus', 'safe', 'malware', 'trojan', 'secure'],
  ['cancel', 'unsubscribe'],
  ['password', 'passcode'],
  ['photo', 'picture', 'image'],
  ['video', 'movie', 'clip'],
];

/** A word and what else stands for it. Endings that only say how many are left off. */
function meanings(word: string): readonly string[] {
  const stem = word.length > 3 ? word.replace(/(es|s)$/, '') : word;
  const group = sameThing.find((words) => words.some((same) => same === word || same === stem));
  return group ?? [stem];
}

/** True when a text holds every typed word, or another word for it. */
export function holdsWords(text: string, typed: string): boolean {
  const lower = text.toLowerCase();
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const whole = sameThing.find((group) => group.includes(words.join(' ')));
  if (whole) return whole.some((same) => lower.includes(same));
  return words.every((word) => meanings(word).some((same) => lower.includes(same)));
}
