'use client';

import type { ComponentType } from 'react';
import { Button } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { ErrorState } from '@/components/ui/state';
import { useLate } from '@/components/ui/use-late';
import { type FormOutline, FormShell } from './form-shell';

type LateFormProps = { load: () => Promise<ComponentType>; outline: FormOutline };

/** A form whose outline is there at once, and which itself comes after the page has loaded. */
export function LateForm({ load, outline }: LateFormProps) {
  const { Screen, hasFailed, retry } = useLate(load);
  if (Screen) return <Screen />;
  if (!hasFailed) return <FormShell {...outline} />;
  return (
    <ErrorState
      level="h2"
      title="The form didn’t load"
      action={
        <Button variant="line" size="s" onClick={retry}>
          <Icon name="refresh-cw" /> Try again
        </Button>
      }
    >
      Check your connection and try again.
    </ErrorState>
  );
}
