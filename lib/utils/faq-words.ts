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
  const stems = [word, word.replace(/s$/, ''), word.replace(/es$/, '')].filter((stem) => stem.length > 2);
  const group = sameThing.find((words) => words.some((same) => stems.includes(same)));
  return group ?? [stems.at(1) ?? word];
}

/** True when a text holds every typed word, or another word for it. */
export function holdsWords(text: string, typed: string): boolean {
  const lower = text.toLowerCase();
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const whole = sameThing.find((group) => group.includes(words.join(' ')));
  if (whole) return whole.some((same) => lower.includes(same));
  return words.every((word) => meanings(word).some((same) => lower.includes(same)));
}
