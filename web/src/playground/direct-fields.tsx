import { Checkbox } from '@mantine/core';
import { ChoiceField } from './interactive-parts.tsx';
import {
  Correlation,
  FileField,
  type FormProps,
  PayloadField,
  setAt,
  TypedField,
} from './payload-field.tsx';
import { type Payload, textAt, valueAt } from './payloads.ts';
import { changed } from './playground-types.ts';
import { RecipientField } from './recipient-field.tsx';

/** The form of a text. */
export function TextFields({ form }: { form: FormProps }) {
  return (
    <>
      <div className="fields">
        <RecipientField form={form} />
        <PayloadField form={form} path={['body']} label="Body" isLong />
        <Checkbox
          label="Preview of the first link"
          checked={valueAt(form.payload, ['preview_url']) === true}
          onChange={(event) =>
            setAt(form, ['preview_url'], event.currentTarget.checked || undefined)
          }
        />
      </div>
      <Correlation form={form} />
    </>
  );
}

const mediaKinds = [
  { value: 'image', label: 'Image' },
  { value: 'video', label: 'Video' },
  { value: 'audio', label: 'Audio' },
  { value: 'document', label: 'File' },
  { value: 'sticker', label: 'Sticker' },
];

/** The form of a picture, a film, a recording, a document or a sticker. */
export function MediaFields({ form }: { form: FormProps }) {
  const kind = textAt(form.payload, ['type']);
  return (
    <>
      <div className="fields">
        <RecipientField form={form} />
        <ChoiceField
          label="Kind of media"
          data={mediaKinds}
          value={kind}
          fault={form.faults.type}
          onChange={(next) => form.onChange(withoutForeign(form.payload, next))}
        />
        <FileField
          form={form}
          path={[]}
          label="Link or upload"
          description="WhatsApp fetches a link; POST /media answers the id of an upload."
        />
        {kind === 'document' && (
          <PayloadField form={form} path={['filename']} label="File name" isOptional />
        )}
        {kind === 'audio' && (
          <Checkbox
            label="Voice message"
            description="Ogg with Opus only."
            error={form.faults.voice}
            checked={valueAt(form.payload, ['voice']) === true}
            onChange={(event) => setAt(form, ['voice'], event.currentTarget.checked || undefined)}
          />
        )}
        {kind !== 'audio' && kind !== 'sticker' && (
          <PayloadField form={form} path={['caption']} label="Caption" isOptional isLong />
        )}
      </div>
      <Correlation form={form} />
    </>
  );
}

/** The payload as another kind of media, without what that kind does not have. */
function withoutForeign(payload: Payload, kind: string): Payload {
  const isCaptioned = kind !== 'audio' && kind !== 'sticker';
  const foreign = [
    ...(isCaptioned ? [] : ['caption']),
    ...(kind === 'document' ? [] : ['filename']),
    ...(kind === 'audio' ? [] : ['voice']),
  ];
  return foreign.reduce(
    (next, name) => changed('media', next, [name], undefined),
    changed('media', payload, ['type'], kind),
  );
}

/** A number as it is written; `12abc` is none. */
const numberOf = (text: string) =>
  text.trim() === '' || Number.isNaN(Number(text)) ? undefined : Number(text);

/** The form of a place on the map. */
export function LocationFields({ form }: { form: FormProps }) {
  const degrees = (field: string, label: string) => (
    <TypedField
      form={form}
      path={[field]}
      label={label}
      read={numberOf}
      write={String}
      wrong="Must be a number, such as 51.5072"
    />
  );
  return (
    <>
      <div className="fields">
        <RecipientField form={form} />
        <div className="field-pair">
          {degrees('latitude', 'Latitude')}
          {degrees('longitude', 'Longitude')}
        </div>
        <PayloadField form={form} path={['name']} label="Name" isOptional />
        <PayloadField form={form} path={['address']} label="Address" isOptional />
      </div>
      <Correlation form={form} />
    </>
  );
}

/** The form of a reaction. */
export function ReactionFields({ form }: { form: FormProps }) {
  const isRemoved = valueAt(form.payload, ['remove']) === true;
  const remove = (isNow: boolean) =>
    form.onChange(
      changed(
        form.type,
        changed(form.type, form.payload, ['remove'], isNow || undefined),
        ['emoji'],
        isNow ? undefined : '👍',
      ),
    );
  return (
    <>
      <div className="fields">
        <RecipientField form={form} />
        <PayloadField
          form={form}
          path={['message_id']}
          label="Message"
          placeholder="Your message id, or WhatsApp’s id"
          description="The message that you react to."
        />
        {!isRemoved && <PayloadField form={form} path={['emoji']} label="Emoji" />}
        <Checkbox
          label="Take the reaction back"
          checked={isRemoved}
          error={form.faults.remove}
          onChange={(event) => remove(event.currentTarget.checked)}
        />
      </div>
      <div className="fields">
        <PayloadField form={form} path={['reference']} label="Reference" isOptional />
      </div>
    </>
  );
}
