'use client';

import { useState } from 'react';
import type { Result } from '@/lib/contract/result';
import { saveBlob } from '@/lib/utils/save-file';
import type { ApiError } from '@/services/api-error';
import { showToast } from '@/store/toasts';

/** Fetches a receipt and saves it as a PDF; what fails is said in a toast. */
export function useReceipt(orderId: string, load: () => Promise<Result<Blob, ApiError>>) {
  const [busy, setBusy] = useState(false);
  const save = async () => {
    if (busy) return;
    setBusy(true);
    try {
      const answer = await load();
      if (answer.ok) saveBlob(answer.value, `receipt-${orderId}.pdf`);
      else if (answer.error.kind !== 'session') showToast(answer.error.msg, 'error');
    } catch {
      showToast('This part of the page didn’t load. Check your connection and try again.', 'error');
    } finally {
      setBusy(false);
    }
  };
  return { busy, save };
}
