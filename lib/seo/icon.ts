/** The mark in a square of 40, as `favicon.ico` and `apple-icon.png` show it. */
const drawing =
  "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 40 40'><rect width='40' height='40' rx='9' fill='#2340e0'/>" +
  "<path fill='#fff' d='M8 10h6v20H8zM26 10h6v20h-6zM14 12.5h3.5v6H14zM22.5 12.5H26v6h-3.5z'/>" +
  "<path fill='#ffb726' d='M16.5 16.5h7v7h-7z'/></svg>";

/** The icon of a tab, whole in its address (RFC 2397): a page asks for one file less while it is painted. Crawlers and old browsers take `favicon.ico`. */
export const iconAddress = `data:image/svg+xml,${drawing.replace(/[#<>]/g, encodeURIComponent)}`;
