import 'server-only';
import { Transform } from 'node:stream';
import { type Outcome, type Refusal, refuse } from '../base/refusal';
import { programIn, SNIFF_BYTES } from './sniff';

/** Said of a file that ended before its announced length. */
const PART_ONLY = 'Only a part of the file has arrived. Please try again.';

/** Refuses a program by its first bytes; null for anything else. */
export function refuseProgram(head: Uint8Array): Outcome<never> | null {
  const program = programIn(head);
  if (!program) return null;
  const said = `This file is ${program.words} with another name. It can’t be repaired here.`;
  return refuse('unsupportedType', program.advice ? `${said} ${program.advice}` : said);
}

/** A refusal on its way through streams, and through servers that know errors alone. */
export class RefusedContent extends Error {
  constructor(readonly refusal: Refusal) {
    super(refusal.msg);
  }
}

/** Watches a file while its bytes come in: its stream fails as soon as `refusal` has words. */
export type ContentGuard = { stream: Transform; refusal(): Outcome<never> | null };

/** Lets through a file of exactly `bytes` bytes that is no program; a part of one may end early. */
export function guardContent(bytes: number, { isPart = false } = {}): ContentGuard {
  let refused: Outcome<never> | null = null;
  let received = 0;
  let head = Buffer.alloc(0);
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      received += chunk.length;
      if (head.length < SNIFF_BYTES) {
        head = Buffer.concat([head, chunk.subarray(0, SNIFF_BYTES - head.length)]);
        refused = refuseProgram(head);
      }
      if (received > bytes) {
        refused ??= refuse('tooLarge', 'The file is larger than was announced. Please choose it again.');
      }
      done(errorOf(refused), chunk);
    },
    flush(done) {
      if (received < bytes && !isPart) refused = refuse('invalidRequest', PART_ONLY);
      done(errorOf(refused));
    },
  });
  return { stream, refusal: () => refused };
}

function errorOf(refused: Outcome<never> | null): Error | null {
  return refused && !refused.ok ? new RefusedContent(refused.error) : null;
}
