import './go-live.css';
import { useState } from 'react';
import { Card } from '../../parts/card.tsx';

interface Place {
  readonly where: string;
  /** The page as the drawing shows it. */
  readonly heading: string;
  /** Which line of the menu is chosen, from 0. */
  readonly menuLine: number;
  /** Fields of the page, some with a number. */
  readonly fields: readonly (readonly [label: string, mark?: number])[];
  readonly text: string;
}

const places: readonly [Place, ...Place[]] = [
  {
    where: 'Meta app dashboard › WhatsApp › API Setup',
    heading: 'API Setup',
    menuLine: 2,
    fields: [
      ['Phone number ID', 1],
      ['WhatsApp Business Account ID', 2],
    ],
    text: '1 is the phone number id, 2 the business account id. Neither is the phone number itself.',
  },
  {
    where: 'Business settings › Users › System users',
    heading: 'System users',
    menuLine: 1,
    fields: [['Generate token', 3]],
    text: '3 makes the access token: for the app, without expiry, with whatsapp_business_messaging and whatsapp_business_management. The one on API Setup lasts a day.',
  },
  {
    where: 'Meta app dashboard › App settings › Basic',
    heading: 'Basic',
    menuLine: 0,
    fields: [['App ID'], ['App secret', 4]],
    text: '4 is the app secret. Meta asks for your password before it shows it.',
  },
  {
    where: 'Meta app dashboard › WhatsApp › Configuration',
    heading: 'Webhook',
    menuLine: 3,
    fields: [
      ['Callback URL', 5],
      ['Verify token', 5],
    ],
    text: '5 takes the callback URL and the verify token of the checklist. Subscribe to the field messages below them.',
  },
];

/** Where to find at Meta what an account takes, and where Meta takes what Parley has. */
export function MetaPlaces() {
  const [areAllShown, setAreAllShown] = useState(false);
  return (
    <Card
      title="Where Meta shows the ids"
      aside={
        <button
          type="button"
          className="link small"
          aria-expanded={areAllShown}
          onClick={() => setAreAllShown(!areAllShown)}
        >
          {areAllShown ? 'Only the ids' : 'All five places'}
        </button>
      }
    >
      <ul>
        {(areAllShown ? places : places.slice(0, 1)).map((place) => (
          <li key={place.where} className="meta-place">
            <Drawing place={place} />
            <div>
              <h3>{place.where}</h3>
              <p className="secondary">{place.text}</p>
            </div>
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** A sketch of Meta's page. The text next to it says the same. */
function Drawing({ place: { heading, menuLine, fields } }: { place: Place }) {
  return (
    <div className="meta-drawing" aria-hidden="true">
      <div className="meta-menu">
        {[0, 1, 2, 3].map((line) => (
          <span key={line} data-chosen={line === menuLine} />
        ))}
      </div>
      <div className="meta-page">
        <b>{heading}</b>
        {fields.map(([label, mark]) => (
          <div key={label} className="meta-field">
            {label}
            {mark && <i>{mark}</i>}
            <span />
          </div>
        ))}
      </div>
    </div>
  );
}
