import 'server-only';
import { brands } from '../../catalog/brands';
import { dollars } from '../../catalog/plans';
import { taxWords, vendor } from '../../catalog/vendor';
import { ok } from '../../contract/result';
import { type Outcome, refuse } from '../base/refusal';
import type { Context } from '../context';
import { dateInWords } from '../mail/date-in-words';
import type { Attachment } from '../objects/attachment';
import type { Order } from '../sales/change-order';
import { planTitleOf } from '../sales/order-title';
import { withdrawalDeadline } from './withdrawal';

/** A4 in points, and the page's measures. */
const PAGE: [number, number] = [595.28, 841.89];
const LEFT = 64;
const VALUE = 210;
const TOP = 760;
const LINE = 24;

/** The receipt of a paid order as a PDF to download. */
export async function makeReceipt(ctx: Context, order: Order): Promise<Outcome<Attachment>> {
  if (!order.paidAt) return refuse('conflict', 'There is a receipt once the order is paid.');
  return ok({
    bytes: await drawReceipt(ctx, order, order.paidAt),
    name: `receipt-${order.id}.pdf`,
    contentType: 'application/pdf',
    cacheControl: 'private, no-store',
  });
}

async function drawReceipt(ctx: Context, order: Order, paidAt: Date): Promise<Uint8Array> {
  const { PDFDocument, StandardFonts } = await import('@cantoo/pdf-lib');
  const pdf = await PDFDocument.create();
  // The same order gives the same bytes, whenever it is asked for.
  pdf.setCreationDate(paidAt);
  pdf.setModificationDate(paidAt);
  pdf.setTitle(`Receipt ${order.id}`);
  pdf.setAuthor(vendor.legalName);
  const page = pdf.addPage(PAGE);
  const regular = await pdf.embedFont(StandardFonts.Helvetica);
  const bold = await pdf.embedFont(StandardFonts.HelveticaBold);
  page.drawText(brands.mendara.name, { x: LEFT, y: TOP, size: 20, font: bold });
  page.drawText(headingOf(order), {
    x: LEFT,
    y: TOP - 30,
    size: 13,
    font: regular,
  });
  for (const [index, [name, value]] of linesOf(ctx, order, paidAt).entries()) {
    const y = TOP - 80 - index * LINE;
    page.drawText(name, { x: LEFT, y, size: 11, font: bold });
    page.drawText(printable(value), { x: VALUE, y, size: 11, font: regular });
  }
  return pdf.save();
}

function headingOf(order: Order): string {
  if (order.withdrawnAt) return 'Receipt (withdrawn, money given back)';
  return order.reversedBy ? 'Receipt (money given back)' : 'Receipt';
}

function linesOf(ctx: Context, order: Order, paidAt: Date): [string, string][] {
  const lines: [string, string][] = [
    ['Order number', order.id],
    ['Date of payment', dateInWords(paidAt)],
    ['Buyer', order.email],
    ['Product', planTitleOf(order)],
    ['Computers', order.pcs === null ? 'unlimited' : String(order.pcs)],
    ['Total paid', `${dollars(order.cents)} ${order.currency}, ${taxWords}`],
    ['Sold at', new URL(ctx.env.SITE_URL).host],
    ['Sold by', vendor.legalName],
    ['Address', vendor.address],
    ['Registered', vendor.registration],
    ['Tax number', vendor.taxNumber],
  ];
  const host = new URL(ctx.env.SITE_URL).host;
  const deadline = withdrawalDeadline(order);
  if (order.withdrawnAt) lines.push(['Withdrawn on', dateInWords(order.withdrawnAt)]);
  else if (deadline && !order.reversedBy) {
    lines.push(['Withdrawal', `until ${dateInWords(deadline)}, in your account,`], ['', `or at ${host}/order-lookup`]);
  }
  if (order.provider === 'sandbox') lines.push(['Note', 'Test payment: no money was taken.']);
  return lines;
}

/** The standard fonts of PDF hold Latin letters only; others, as in some e-mail addresses, become question marks. */
function printable(text: string): string {
  return text.replace(/[^\x20-\x7e\xa1-\xff]/g, '?');
}
