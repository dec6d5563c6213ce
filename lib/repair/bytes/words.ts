/** Words of a text: runs of letters or digits of any script. Han, kana and Hangul count by character, as they have no spaces. */
export function countWords(text: string): number {
  const pattern = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{N}][\p{L}\p{N}\p{M}'’]*/gu;
  let count = 0;
  while (pattern.exec(text) !== null) count++;
  return count;
}
