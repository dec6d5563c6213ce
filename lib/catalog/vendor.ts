/** Who sells, as the law wants it named (Directive 2011/83/EU, article 6; Directive 2000/31/EC, article 5). */
export type Vendor = { legalName: string; address: string; registration: string; taxNumber: string };

/** Stand in for facts that nobody has filled in yet, and say so. */
const samples: Vendor = {
  legalName: 'Sample Vendor Ltd. (sample name)',
  address: 'Sample Street 1, 00000 Sample Town, Sample Country',
  registration: 'Sample Register, number 000000',
  taxNumber: 'XX000000000 (sample number)',
};

/**
 * The vendor's legal facts: the one place from which terms, contact page, stores and receipts take them. Filled by
 * configuration; each variable is named whole, since the build writes their values into the pages.
 */
export const vendor: Vendor = {
  legalName: process.env.NEXT_PUBLIC_VENDOR_NAME || samples.legalName,
  address: process.env.NEXT_PUBLIC_VENDOR_ADDRESS || samples.address,
  registration: process.env.NEXT_PUBLIC_VENDOR_REGISTRATION || samples.registration,
  taxNumber: process.env.NEXT_PUBLIC_VENDOR_TAX_NUMBER || samples.taxNumber,
};

const variables = {
  legalName: 'NEXT_PUBLIC_VENDOR_NAME',
  address: 'NEXT_PUBLIC_VENDOR_ADDRESS',
  registration: 'NEXT_PUBLIC_VENDOR_REGISTRATION',
  taxNumber: 'NEXT_PUBLIC_VENDOR_TAX_NUMBER',
} as const satisfies Record<keyof Vendor, string>;

/** The variables whose facts are still samples. */
export function missingVendorVariables(): string[] {
  const facts = Object.keys(samples) as (keyof Vendor)[];
  return facts.filter((fact) => vendor[fact] === samples[fact]).map((fact) => variables[fact]);
}

/** Said beside every price. */
export const taxWords = 'including any tax';

/** The statutory period in which a buyer may withdraw, in days (Directive 2011/83/EU, article 9). */
export const withdrawalDays = 14;
