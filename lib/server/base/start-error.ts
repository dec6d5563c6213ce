/** An error of the start that a person can act on: its message is shown alone, without where it came from. */
export function startError(message: string): Error {
  const error = new Error(message);
  error.name = 'StartError';
  return error;
}

/** What the system's codes mean to whoever starts the server (errno(3)); `place` is the file or folder it was about. */
const sentences: Record<string, (place: string) => string> = {
  EADDRINUSE: () => 'The port is already in use. Stop the other program, or set PORT to a free one.',
  EACCES: (place) => `This account may not use ${place}. Give it the right to, or choose another PORT or DATA_DIR.`,
  EPERM: (place) => `This account may not change ${place}. Give it to this account, or choose another DATA_DIR.`,
  EROFS: (place) =>
    `${capital(place)} is on a file system that can only be read. Mount it for writing, or set DATA_DIR to a folder elsewhere.`,
  ENOSPC: (place) => `The disk of ${place} is full. Make room on it, or set DATA_DIR to a folder on another disk.`,
  EDQUOT: (place) => `The share of the disk of ${place} is used up. Make room, or set DATA_DIR to a folder elsewhere.`,
  ENOTDIR: (place) => `${capital(place)} is a file, or lies below one, and not a folder. Set DATA_DIR to a folder.`,
  EMFILE: () => 'This process may not open more files. Raise its limit (ulimit -n).',
  ENFILE: () => 'This machine has too many files open. Raise its limit, or end other programs.',
  EIO: (place) => `The disk of ${place} does not work: reading or writing failed. Look at it before you start again.`,
};

/** The same error as a sentence with what to do, where the system's code tells; otherwise as it is. */
export function inPlainWords(error: unknown, place = 'the data folder'): unknown {
  const { code, name, path } = (error ?? {}) as NodeJS.ErrnoException;
  if (name === 'StartError' || !code) return error;
  const sentence = sentences[code];
  return sentence ? startError(sentence(path ?? place)) : error;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
