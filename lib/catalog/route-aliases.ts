/** Addresses that lead to another one, queries kept (lib/contract/README.md, 12). */
export const routeAliases: Readonly<Record<string, string>> = {
  '/video-repair': '/video-fixer',
  '/file-repair': '/file-fixer',
  '/PaySuccess': '/pay-success',
};
