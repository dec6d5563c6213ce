import type { Archive, Member } from '../../core/zip/read';
import type { Buffer } from '../../host/bytes';
import { contentPath, manifestPath } from './content';

/** What the list of parts says of one that is encrypted (ODF 1.3 part 2, 4.8.2), and the part that newer programs keep all others in. */
const encryptionData = /<(?:[\w.-]+:)?encryption-data[\s>]/;
const wholePath = 'encrypted-package';

/** Encrypted bytes come as evenly as chance has them: of the first so many, this many values at least are different, and none comes more often. */
const even = { bytes: 2048, values: 248, most: 28 };

/** Whether bytes come as those of encryption do; too few tell nothing. */
function looksEncrypted(data: Buffer): boolean {
  if (data.length < even.bytes) return false;
  const counts = new Uint16Array(256);
  for (const byte of data.subarray(0, even.bytes)) counts[byte] = (counts[byte] ?? 0) + 1;
  return counts.filter((count) => count > 0).length >= even.values && Math.max(...counts) <= even.most;
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
