import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { simulatorInboundLimits } from '../api/limits/simulator-inbound.ts';
import { simulatorReferralLimits } from '../api/limits/simulator-referral.ts';
import type { SimulatorInbound } from '../api/types.ts';
import { given } from './filled-in.ts';
import { FormSheet, type SheetProps } from './form-sheet.tsx';

interface AdSheetProps extends SheetProps {
  readonly onSend: (text: string, ad: NonNullable<SimulatorInbound['referral']>) => void;
}

const limits = { ...simulatorReferralLimits, text: simulatorInboundLimits.text };

/** Asks which ad the user has clicked, and what they write then. */
export function AdSheet({ onSend, ...sheet }: AdSheetProps) {
  const [ad, setAd] = useState({
    text: 'Hello! Can I get more info on this?',
    headline: 'Fresh bread every morning',
    source_url: 'https://fb.me/3abcDEfgh',
    source_id: '120200000000000001',
    ctwa_clid: 'ARAkLkA8rmlFeiCktEJQ',
  });
  const field = (key: keyof typeof ad) => ({
    value: ad[key],
    autoComplete: 'off',
    maxLength: limits[key].maxLength,
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) =>
      setAd({ ...ad, [key]: currentTarget.value }),
  });
  return (
    <FormSheet
      {...sheet}
      title="Message from an ad"
      send="Send"
      isReady={ad.text.trim() !== ''}
      onSend={() =>
        onSend(ad.text.trim(), {
          ...given('headline', ad.headline),
          ...given('source_url', ad.source_url),
          ...given('source_id', ad.source_id),
          ...given('ctwa_clid', ad.ctwa_clid),
        })
      }
    >
      <TextInput label="Text" {...field('text')} />
      <TextInput label="Headline of the ad (optional)" {...field('headline')} />
      <TextInput label="Address of the ad (optional)" {...field('source_url')} />
      <TextInput label="Id of the ad (optional)" {...field('source_id')} />
      <TextInput label="Id of the click (optional)" {...field('ctwa_clid')} />
    </FormSheet>
  );
}
