-- What searches look at has each letter with its accent as one character, and one sigma, as searchSpelling in
-- normalize-text.ts writes it. Few texts are others, and only these are written; ASCII is known by its length.
update asset_search set
  text = translate(normalize(text, nfc), 'ς', 'σ'),
  attributes = translate(normalize(attributes, nfc), 'ς', 'σ')
where (octet_length(text) > length(text) or octet_length(attributes) > length(attributes))
  and (text <> translate(normalize(text, nfc), 'ς', 'σ') or attributes <> translate(normalize(attributes, nfc), 'ς', 'σ'));

-- The application spells what it searches by itself.
drop function search_spelling(text);
