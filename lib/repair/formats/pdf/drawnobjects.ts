import { contentsOf } from './fontuses';
import type { PdfModel } from './model';
import { inheritedValue } from './pages';
import type { PdfObject } from './values';

/** Pages whose content is read for what it draws. */
const mostRead = 64;
const drawn = /\/([^\s/[\]()<>{}%]+)\s+Do(?=\s|$)/g;

/** Pages that draw pictures or forms which their resources do not have (ISO 32000-1, 8.8 and 7.8.3). */
export function undrawnPages(model: PdfModel, pages: readonly PdfObject[]): PdfObject[] {
  return pages.slice(0, mostRead).filter((page) => {
    const objects = model.dictionary(model.dictionary(inheritedValue(model, page, 'Resources')).get('XObject'));
    return contentsOf(model, page).some((content) => {
      const { data, supported } = model.decode(content);
      if (!supported) return false;
      for (const [, name = ''] of data.toString('latin1').matchAll(drawn)) if (!objects.has(name)) return true;
      return false;
    });
  });
}
