import { PDFDocument, StandardFonts } from '@cantoo/pdf-lib';
import { jpegPictures } from './pictures';
import { Prose } from './prose';

/** A PDF of full pages of text, with its objects bundled or each on its own, and a picture on each of the first pages. */
export async function pdf(pages: number, pictures: number, bundled: boolean): Promise<Buffer> {
  const prose = new Prose(7);
  const document = await PDFDocument.create();
  const font = await document.embedFont(StandardFonts.TimesRoman);
  const images = await jpegPictures(pictures);
  for (let number = 0; number < pages; number++) {
    const page = document.addPage([595, 842]);
    for (let line = 0; line < 46; line++) page.drawText(prose.words(12), { x: 50, y: 790 - line * 16, size: 11, font });
    const image = images[number];
    if (image) page.drawImage(await document.embedJpg(image), { x: 60, y: 100, width: 400, height: 300 });
  }
  return Buffer.from(await document.save({ useObjectStreams: bundled }));
}
