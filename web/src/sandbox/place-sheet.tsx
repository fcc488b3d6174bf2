import { TextInput } from '@mantine/core';
import { useState } from 'react';
import type { SimulatorReply } from '../api/types.ts';
import { degreesIn, given } from './filled-in.ts';
import { FormSheet, type SheetProps } from './form-sheet.tsx';

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
  const latitude = degreesIn(place.latitude, 90);
  const longitude = degreesIn(place.longitude, 180);
  const field = (key: keyof typeof place) => ({
    value: place[key],
    autoComplete: 'off',
    maxLength: 1_000,
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
        error={latitude === null && 'Write a number from -90 to 90'}
        {...field('latitude')}
      />
      <TextInput
        label="Longitude"
        inputMode="decimal"
        error={longitude === null && 'Write a number from -180 to 180'}
        {...field('longitude')}
      />
      <TextInput label="Name (optional)" {...field('name')} />
      <TextInput label="Address (optional)" {...field('address')} />
    </FormSheet>
  );
}
