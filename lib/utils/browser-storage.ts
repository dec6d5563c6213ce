/**
 * Local and session storage that never throw: private windows, full quotas and blocked storage all read as empty.
 */
type Area = 'localStorage' | 'sessionStorage';

function area(name: Area): Storage | null {
  try {
    return typeof window === 'undefined' ? null : window[name];
  } catch {
    return null;
  }
}

/** Reads a stored text, or null. */
export function readStored(key: string, name: Area = 'localStorage'): string | null {
  try {
    return area(name)?.getItem(key) ?? null;
  } catch {
    return null;
  }
}

/** Stores a text; silently does nothing where storage is not to be had. */
export function writeStored(key: string, value: string, name: Area = 'localStorage'): void {
  try {
    area(name)?.setItem(key, value);
  } catch {
    // A full or forbidden storage must not stop what the visitor is doing.
  }
}

/** Removes a stored text. */
export function removeStored(key: string, name: Area = 'localStorage'): void {
  try {
    area(name)?.removeItem(key);
  } catch {
    // As above.
  }
}
