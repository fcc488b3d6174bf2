import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { simulatorLocationLimits } from '../api/limits/simulator-location.ts';
import type { SimulatorReply } from '../api/types.ts';
import { rangeWords } from '../parts/limit-faults.ts';
import { degreesIn, given } from './filled-in.ts';
import { FormSheet, type SheetProps } from './form-sheet.tsx';

const limits = simulatorLocationLimits;

interface PlaceSheetProps extends SheetProps {
  readonly onSend: (place: NonNullable<SimulatorReply['location']>) => void;
}

/** Asks where the user is. */
export function PlaceSheet({ onSend, ...sheet }: PlaceSheetProps) {
  const [place, setPlace] = useState({
    latitude: '51.5072',
    longitude: '-0.1276',
    name: '',
    address: '',
  });
  const latitude = degreesIn(place.latitude, limits.latitude);
  const longitude = degreesIn(place.longitude, limits.longitude);
  const field = (key: keyof typeof place) => ({
    value: place[key],
    autoComplete: 'off',
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) =>
      setPlace({ ...place, [key]: currentTarget.value }),
  });
  return (
    <FormSheet
      {...sheet}
      title="Send location"
      send="Send"
      isReady={latitude !== null && longitude !== null}
      onSend={() => {
        if (latitude === null || longitude === null) return;
        const { name, address } = place;
        onSend({ latitude, longitude, ...given('name', name), ...given('address', address) });
      }}
    >
      <TextInput
        label="Latitude"
        inputMode="decimal"
        error={latitude === null && `Write a number from ${rangeWords(limits.latitude)}`}
        {...field('latitude')}
      />
      <TextInput
        label="Longitude"
        inputMode="decimal"
        error={longitude === null && `Write a number from ${rangeWords(limits.longitude)}`}
        {...field('longitude')}
      />
      <TextInput label="Name (optional)" maxLength={limits.name.maxLength} {...field('name')} />
      <TextInput
        label="Address (optional)"
        maxLength={limits.address.maxLength}
        {...field('address')}
      />
    </FormSheet>
  );
}
