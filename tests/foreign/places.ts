/** Where the site of these tests is. Another host than the API's, not only another port: cookies don't tell ports apart. */
export const SITE = 'http://localhost:3411';
/** Where the product API of these tests is. */
export const API = 'http://127.0.0.1:3412';

/** What the site's build is told of that API; it has a folder of its own. */
export const siteVariables = { NEXT_DIST_DIR: '.next-foreign', NEXT_PUBLIC_PRODUCT_API_URL: `${API}/api/v1` };
