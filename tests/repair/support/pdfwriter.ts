/** A PDF of the objects given by their bodies, numbered from 1 on, with a table; the first is the catalogue. */
export function pdfOf(bodies: readonly string[], trailer = ''): Buffer {
  const pieces: string[] = ['%PDF-1.7\n'];
  const places: number[] = [];
  let length = pieces[0]?.length ?? 0;
  for (const [index, body] of bodies.entries()) {
    const text = `${index + 1} 0 obj\n${body}\nendobj\n`;
    places.push(length);
    pieces.push(text);
    length += text.length;
  }
  const entries = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`);
  const size = bodies.length + 1;
  pieces.push(`xref\n0 ${size}\n0000000000 65535 f \n${entries.join('')}`);
  pieces.push(`trailer\n<</Size ${size}/Root 1 0 R${trailer}>>\nstartxref\n${length}\n%%EOF\n`);
  return Buffer.from(pieces.join(''), 'latin1');
}

/** An object with data that is not packed. */
export function streamOf(data: string, entries = ''): string {
  return `<<${entries}/Length ${data.length}>>\nstream\n${data}\nendstream`;
}

/** Bodies of a document of one page in Helvetica (F1) that holds the content; what follows are objects from 6 on. */
export function onePage(content: string, resources = '', further: readonly string[] = []): string[] {
  return [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Resources<</Font<</F1 4 0 R>>${resources}>>/Contents 5 0 R>>`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    streamOf(content),
    ...further,
  ];
}

export const harbour = 'BT /F1 12 Tf 50 700 Td (The harbour lights went out one after another) Tj ET';
