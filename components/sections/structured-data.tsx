/** A page's JSON-LD. The text comes escaped from lib/seo. */
export function StructuredData({ text }: { text: string }) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: our own data, in which every `<` is escaped
  return <script type="application/ld+json" dangerouslySetInnerHTML={{ __html: text }} />;
}
