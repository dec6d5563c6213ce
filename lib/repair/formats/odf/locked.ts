import { areEven } from '../../core/evenness';
import type { Archive, Member } from '../../core/zip/read';
import type { Buffer } from '../../host/bytes';
import { contentPath, manifestPath } from './content';

/** What the list of parts says of one that is encrypted (ODF 1.3 part 2, 4.8.2), and the part that newer programs keep all others in. */
const encryptionData = /<(?:[\w.-]+:)?encryption-data[\s>]/;
const wholePath = 'encrypted-package';

/** Bytes that are looked at; fewer tell nothing. */
const looked = 2048;

/** Whether bytes come as those of encryption do. */
function looksEncrypted(data: Buffer): boolean {
  const counts = new Uint32Array(256);
  for (const byte of data.subarray(0, looked)) counts[byte] = (counts[byte] ?? 0) + 1;
  return data.length >= looked && areEven(counts);
}

/** Content as it stands in the file, where it is not packed: encrypted parts are stored (ODF 1.3 part 2, 4.4). */
function storedContent({ packed, body, data }: Member): Buffer | null {
  if (packed) return packed.stored ? packed.bytes : null;
  return body?.stored ? data : null;
}

/** Whether a package asks for a password: its list of parts says so, or, where that is lost, the text is stored as even bytes. */
export function isLocked({ members }: Archive): boolean {
  const manifest = members.find(({ name }) => name === manifestPath);
  if (manifest && encryptionData.test(manifest.data.toString('latin1'))) return true;
  return members.some((member) => {
    if (member.name !== contentPath && member.name !== wholePath) return false;
    const stored = storedContent(member);
    return stored !== null && looksEncrypted(stored);
  });
}
