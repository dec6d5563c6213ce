/** Addresses that lead to another one, queries kept (contract, "Routes beyond the specification's table"). */
export const routeAliases: Readonly<Record<string, string>> = {
  '/video-repair': '/video-fixer',
  '/file-repair': '/file-fixer',
  '/PaySuccess': '/pay-success',
};
