import { isEmail } from '@/lib/contract/email';

export { sendContact } from '@/services/contact';

export type Problems = { email?: string; message?: string };

/** Characters of a message that are accepted; more are refused in words, since a field that takes no more cuts what is pasted without any. */
const longest = 5000;

const inWords = (count: number) => count.toLocaleString('en-US');

/** What is missing in a message or too long, by its field. Loaded with what sends it, as nobody needs it before. */
export function problemsOf(fields: Record<string, string>): Problems {
  const problems: Problems = {};
  const email = fields.email?.trim() ?? '';
  if (email === '') problems.email = 'Please enter your e-mail address, so that we can answer.';
  else if (!isEmail(email)) problems.email = 'Please enter a full e-mail address, such as name@example.com.';
  const length = fields.message?.trim().length ?? 0;
  if (length === 0) problems.message = 'Please write your message.';
  else if (length > longest)
    problems.message = `Please use at most ${inWords(longest)} characters for your message; it has ${inWords(length)}.`;
  return problems;
}
