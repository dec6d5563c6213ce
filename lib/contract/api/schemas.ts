import * as z from 'zod/mini';
import { reportSchema } from '../../repair/report/schema';
import {
  changedProductSchema,
  endingSchema,
  erasedSchema,
  exportedDataSchema,
  nextChargeSchema,
  ownedProductSchema,
  ownedProductsSchema,
  sessionRowSchema,
  sessionRowsSchema,
} from '../account';
import { installerRowSchema, installerRowsSchema } from '../downloads';
import { nothingSchema, webAddressSchema } from '../fields';
import { openedOrderSchema, orderRowSchema, orderRowsSchema, withdrawalSchema } from '../orders';
import { outboxMailSchema, outboxRowSchema, outboxRowsSchema } from '../outbox';
import { orderCreatedSchema, payAnswerSchema, payInfoSchema, payProviderSchema } from '../pay';
import { productRowSchema, productRowsSchema } from '../products';
import { ownRepairsSchema, repairTaskSchema, uploadSignatureSchema } from '../repair';
import { codeResetSchema, eraseSchema, profileSchema, signedInResetSchema } from '../requests/account';
import { contactSchema } from '../requests/contact';
import { eventSchema } from '../requests/events';
import { activateSchema, lookUpSchema, withdrawSchema } from '../requests/orders';
import { orderSchema, payRequestSchema, productsListSchema } from '../requests/pay';
import { startSchema } from '../requests/repair';
import { sandboxPaySchema, sandboxSettleSchema, sandboxWebhookSchema } from '../requests/sandbox';
import { confirmSchema, passwordSignInSchema, registerSchema, resetCodeSchema } from '../requests/sign-in';
import { sandboxCheckoutSchema, sandboxNextSchema } from '../sandbox';
import { activatedSchema, appliedSchema, healthSchema } from '../service';
import { savedUserSchema, sessionCheckSchema, ssoLoginSchema, userDetailSchema } from '../session';
import { registeredSchema, ticketReturnSchema } from '../sign-in';

/** What `obj` of an answer can be, by the name that the document of the API gives it. */
export const answers = {
  Nothing: nothingSchema,
  WebAddress: webAddressSchema,
  SessionCheck: sessionCheckSchema,
  SsoLogin: ssoLoginSchema,
  UserDetail: userDetailSchema,
  SavedUser: savedUserSchema,
  TicketReturn: ticketReturnSchema,
  Registered: registeredSchema,
  NextCharge: nextChargeSchema,
  EndedBy: endingSchema,
  OwnedProduct: ownedProductSchema,
  OwnedProducts: ownedProductsSchema,
  ChangedProduct: changedProductSchema,
  SessionRow: sessionRowSchema,
  SessionRows: sessionRowsSchema,
  ExportedData: exportedDataSchema,
  Erased: erasedSchema,
  ProductRow: productRowSchema,
  ProductRows: productRowsSchema,
  OrderCreated: orderCreatedSchema,
  PayAnswer: payAnswerSchema,
  PayInfo: payInfoSchema,
  PayProvider: payProviderSchema,
  OrderRow: orderRowSchema,
  OrderRows: orderRowsSchema,
  OpenedOrder: openedOrderSchema,
  Withdrawal: withdrawalSchema,
  InstallerRow: installerRowSchema,
  InstallerRows: installerRowsSchema,
  UploadSignature: uploadSignatureSchema,
  RepairReport: reportSchema,
  RepairTask: repairTaskSchema,
  OwnRepairs: ownRepairsSchema,
  SandboxCheckout: sandboxCheckoutSchema,
  SandboxNext: sandboxNextSchema,
  OutboxRow: outboxRowSchema,
  OutboxRows: outboxRowsSchema,
  OutboxMail: outboxMailSchema,
  Health: healthSchema,
  Applied: appliedSchema,
  Activated: activatedSchema,
};
export type AnswerName = keyof typeof answers;

/** What a body can be, by its name. */
export const requests = {
  PasswordSignIn: passwordSignInSchema,
  Credentials: registerSchema,
  Confirm: confirmSchema,
  ResetCode: resetCodeSchema,
  Profile: profileSchema,
  PasswordReset: z.union([signedInResetSchema, codeResetSchema]),
  Erase: eraseSchema,
  ProductsList: productsListSchema,
  Order: orderSchema,
  Pay: payRequestSchema,
  LookUp: lookUpSchema,
  Withdraw: withdrawSchema,
  Activate: activateSchema,
  Start: startSchema,
  EventLog: eventSchema,
  Contact: contactSchema,
  SandboxPay: sandboxPaySchema,
  SandboxSettle: sandboxSettleSchema,
  SandboxWebhook: sandboxWebhookSchema,
};
export type RequestName = keyof typeof requests;
