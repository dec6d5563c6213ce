/** Said wherever a fresh installation serves its own small files in place of the vendor's installers. */
export const DEMONSTRATION =
  'This server has no installers yet: the download is a small demonstration file that says so, not the program.';
