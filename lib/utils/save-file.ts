/** Saves what is at an address of this origin, or behind a `blob:` address, under a name. */
function saveAs(address: string, name: string): void {
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
}

/** Opens an address as a link does; what the server sends as an attachment goes to the disk, and the page stays. */
export function openAddress(address: string): void {
  const link = document.createElement('a');
  link.href = address;
  link.click();
}

/** Saves bytes that are in memory under a name. */
export function saveBlob(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob);
  saveAs(address, name);
  // The browser reads the blob after this turn; a minute is ample and frees it again.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
