import { TextInput } from '@mantine/core';
import { IconFlask } from '@tabler/icons-react';
import { ActionMenu } from '../parts/action-menu.tsx';
import type { FormProps } from './payload-field.tsx';
import { textAt } from './payloads.ts';
import { addressed } from './playground-types.ts';
import { testNumbersFor } from './test-numbers.ts';

/** Whom the message is for: what looks like a user id goes into `to_user_id`, everything else into `to`. */
export function RecipientField({ form }: { form: FormProps }) {
  const { type, payload, faults, isSimulated, onChange } = form;
  const value = textAt(payload, ['to']) || textAt(payload, ['to_user_id']);
  const testNumbers = isSimulated ? testNumbersFor(type) : [];
  const outcome = testNumbers.find(({ number }) => number === value)?.outcome;
  const choose = (next: string) => onChange(addressed(type, payload, next));
  return (
    <TextInput
      label="To"
      labelProps={{ className: 'field-label' }}
      placeholder="A phone number or a user id"
      inputWrapperOrder={['label', 'input', 'error', 'description']}
      {...(outcome !== undefined && { description: outcome })}
      value={value}
      error={faults.to ?? faults.to_user_id}
      onChange={(event) => choose(event.currentTarget.value)}
      {...(isSimulated && {
        rightSection: (
          <ActionMenu name="Test numbers" icon={IconFlask}>
            {(Menu) => (
              <>
                <Menu.Label>What the simulator plays</Menu.Label>
                {testNumbers.map(({ name, number }) => (
                  <Menu.Item
                    key={number}
                    rightSection={<code>{number}</code>}
                    onClick={() => choose(number)}
                  >
                    {name}
                  </Menu.Item>
                ))}
              </>
            )}
          </ActionMenu>
        ),
      })}
    />
  );
}
