/** The name under which npm is started on this system. */
export const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
