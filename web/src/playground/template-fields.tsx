import { Button, SegmentedControl, Select, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { MappedVariable, Template, TemplateParameter } from '../api/types.ts';
import { Notice } from '../parts/notice.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { type Components, componentsOf, readParameter } from '../phone/template-parameters.ts';
import { exampleOf, missingExamples, variableExamples } from './examples.ts';
import { type FormProps, PayloadField, setAt } from './payload-field.tsx';
import { textAt, valueAt } from './payloads.ts';
import { placeText } from './place-text.ts';
import { changed, type PlaygroundType } from './playground-types.ts';
import { RecipientField } from './recipient-field.tsx';

/** What is known of the templates that a key can send. */
export interface TemplateChoice {
  /** Approved ones; undefined while they are read. */
  readonly templates: readonly Template[] | undefined;
  /** The chosen one. */
  readonly template: Template | undefined;
  /** Of the key's mapping for it; null when there is none. */
  readonly variables: Readonly<Record<string, MappedVariable>> | null | undefined;
  readonly keyId: string | undefined;
}

interface TemplateFieldsProps {
  readonly form: FormProps;
  readonly choice: TemplateChoice;
  readonly onWay: (type: PlaygroundType) => void;
}

const ways = [
  { value: 'template_send', label: 'Named variables' },
  { value: 'template', label: 'WhatsApp’s components' },
];

/** The form of a template: by the names of the key's mapping, or by WhatsApp's own components. */
export function TemplateFields({ form, choice, onWay }: TemplateFieldsProps) {
  const { template } = choice;
  return (
    <>
      <div className="fields">
        <SegmentedControl
          aria-label="How the template is filled"
          fullWidth
          size="xs"
          data={ways}
          value={form.type}
          onChange={(next) => onWay(next as PlaygroundType)}
        />
        <RecipientField form={form} />
        <TemplateSelect form={form} choice={choice} />
      </div>
      {template && (
        <div className="fields">
          {form.type === 'template' ? (
            <ComponentFields form={form} template={template} />
          ) : (
            <VariableFields form={form} choice={choice} />
          )}
        </div>
      )}
      <div className="fields">
        <PayloadField form={form} path={['reference']} label="Reference" isOptional />
      </div>
    </>
  );
}

function TemplateSelect({ form, choice }: Pick<TemplateFieldsProps, 'form' | 'choice'>) {
  const { templates, template } = choice;
  if (templates === undefined) return <Skeleton rows={2} />;
  const select = (id: string | null) => {
    const next = templates.find((each) => each.id === id);
    if (!next) return;
    const named = {
      ...form.payload,
      template_name: next.name,
      language: next.language,
    };
    // Values of another template mean nothing here.
    const emptied =
      form.type === 'template'
        ? changed(form.type, named, ['components'], undefined)
        : changed(form.type, named, ['variables'], {});
    form.onChange(emptied);
  };
  return (
    <Select
      label="Template"
      placeholder={templates.length === 0 ? 'No approved template' : 'Choose a template'}
      searchable
      data={templates.map(({ id, name, language }) => ({
        value: id,
        label: `${name} · ${language}`,
      }))}
      value={template?.id ?? null}
      error={form.faults.template_name ?? form.faults.language}
      onChange={select}
      nothingFoundMessage="No approved template has this name"
    />
  );
}

function VariableFields({ form, choice }: Pick<TemplateFieldsProps, 'form' | 'choice'>) {
  const { template, variables, keyId } = choice;
  if (variables === undefined) return <Skeleton rows={3} />;
  if (variables === null) {
    return (
      <Notice tone="amber">
        <b>This key has no mapping for the template.</b> A mapping names its variables. Without one,
        you must use WhatsApp’s own components.
        {template && (
          <div>
            <Button
              size="xs"
              mt={8}
              renderRoot={(props) => (
                <Link
                  to="/templates/$templateId"
                  params={{ templateId: template.id }}
                  search={keyId === undefined ? {} : { key: keyId }}
                  {...props}
                />
              )}
            >
              Name its variables
            </Button>
          </div>
        )}
      </Notice>
    );
  }
  const entries = Object.entries(variables).toSorted(
    ([, one], [, other]) => placeOrder(one) - placeOrder(other),
  );
  if (entries.length === 0) return <p className="secondary">The template has no variables.</p>;
  const given = valueAt(form.payload, ['variables']) ?? {};
  const examples = variableExamples(variables, template);
  const missing = missingExamples(variables, template, given as Readonly<Record<string, unknown>>);
  return (
    <>
      <FillButton
        examples={Object.keys(missing).length}
        onFill={() => setAt(form, ['variables'], { ...given, ...missing })}
      />
      {entries.map(([name, variable]) => (
        <PayloadField
          key={name}
          form={form}
          path={['variables', name]}
          label={name}
          isOptional={!variable.required || (variable.default ?? null) !== null}
          placeholder={variable.default || examples[name] || ''}
          description={placeText(variable, template)}
        />
      ))}
    </>
  );
}

const componentOrder = ['header', 'body', 'button'];

/** Variables are in the order in which people read their places. */
const placeOrder = ({ component, button_index: button, position }: MappedVariable) =>
  componentOrder.indexOf(component) * 10_000 + (button ?? 0) * 100 + (position ?? 1);

/** Fills what is empty with what the template was submitted with. */
function FillButton({ examples, onFill }: { examples: number; onFill: () => void }) {
  if (examples === 0) return null;
  return (
    <Button size="xs" style={{ justifySelf: 'start' }} onClick={onFill}>
      Fill with examples
    </Button>
  );
}

function ComponentFields({ form, template }: { form: FormProps; template: Template }) {
  const given = valueAt(form.payload, ['components']);
  const components = (Array.isArray(given) ? given : []) as Components;
  const { parameters } = template;
  const set = (valueOf: (place: TemplateParameter, before: string) => string) => {
    const next = componentsOf(
      parameters.map((place) => ({
        place,
        value: valueOf(place, readParameter(components, place)),
      })),
    );
    setAt(form, ['components'], next.length > 0 ? next : undefined);
  };
  const isMissing = (place: TemplateParameter) =>
    exampleOf(place) !== '' && readParameter(components, place) === '';
  if (parameters.length === 0) return <p className="secondary">The template has no variables.</p>;
  return (
    <>
      <FillButton
        examples={parameters.filter(isMissing).length}
        onFill={() => set((place, before) => (isMissing(place) ? exampleOf(place) : before))}
      />
      {parameters.map((place) => (
        <TextInput
          key={`${place.component} ${place.button_index} ${place.position}`}
          label={
            <span>
              {parameterName(place)}
              {!place.required && <span className="quiet"> optional</span>}
            </span>
          }
          placeholder={exampleOf(place)}
          value={readParameter(components, place)}
          onChange={(event) => {
            const { value } = event.currentTarget;
            set((each, before) => (each === place ? value : before));
          }}
        />
      ))}
    </>
  );
}

function parameterName({
  component,
  position,
  parameter_name: name,
  button_index,
  kind,
}: TemplateParameter) {
  const place = component === 'button' ? `Button ${(button_index ?? 0) + 1}` : component;
  const title = place.charAt(0).toUpperCase() + place.slice(1);
  if (kind !== 'text') return `${title}: ${kind.replaceAll('_', ' ')}`;
  return `${title}: ${name ?? `{{${position}}}`}`;
}

/** The name that the form's choice of a template goes by. */
export const chosenTemplate = (
  templates: readonly Template[] | undefined,
  payload: Readonly<Record<string, unknown>>,
) =>
  templates?.find(
    ({ name, language }) =>
      name === textAt(payload, ['template_name']) && language === textAt(payload, ['language']),
  );
