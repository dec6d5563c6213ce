/** Ends the process with a plain sentence when Node is older than what the libraries need. */
export function requireNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  console.error(`Mendara needs Node 20.19 or newer; this is ${process.versions.node}.`);
  process.exit(1);
}
