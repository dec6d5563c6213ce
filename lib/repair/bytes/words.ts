/** Words of a text: runs of letters or digits of any script. Han and kana count by character, as they have no spaces. */
export function eachWord(text: string, visit: (word: string) => void): void {
  const pattern = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{N}][\p{L}\p{N}\p{M}'’]*/gu;
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) visit(match[0]);
}

/** How many words a text has. */
export function countWords(text: string): number {
  let count = 0;
  eachWord(text, () => {
    count++;
  });
  return count;
}
