"""Training steps of a translation model as recipes/nmt.toml has it, in plain PyTorch. Prints words/s.

Batches of 62 pairs of 13 words; one table of 6,000 x 256 for sources, targets and the output; a
bidirectional LSTM of 2 x 256, an LSTM of 512, general attention (Luong et al. 2015), a second LSTM of
256 over the attentional states; dropout 0.3, label smoothing 0.1; gradients clipped to 1; Adam.
"""

import workload

options = workload.parse_options(__doc__, steps=20, images=62)

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(options.threads)
torch.manual_seed(workload.SEED)
SENTENCES, WORDS, VOCABULARY, SIZE, HIDDEN = options.images, 13, 6000, 256, 512


class Translator(nn.Module):
    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(VOCABULARY, SIZE)
        nn.init.normal_(self.words.weight, std=SIZE**-0.5)
        self.encoder = nn.LSTM(SIZE, HIDDEN // 2, batch_first=True, bidirectional=True)
        self.bridge = nn.Linear(HIDDEN, SIZE)
        self.decoder = nn.LSTM(SIZE, HIDDEN, batch_first=True)
        self.attention = nn.Linear(HIDDEN, HIDDEN, bias=False)
        self.combine = nn.Linear(2 * HIDDEN, SIZE)
        self.second = nn.LSTM(SIZE, SIZE, batch_first=True)
        self.bias = nn.Parameter(torch.zeros(VOCABULARY))
        self.thin = nn.Dropout(0.3)

    def read(self, ids):
        return self.thin(self.words(ids) * SIZE**0.5)

    def forward(self, sources, targets):
        states = self.thin(self.encoder(self.read(sources))[0])
        last = torch.cat([states[:, -1, : HIDDEN // 2], states[:, 0, HIDDEN // 2 :]], 1)
        start = self.bridge(last).tanh().unsqueeze(1)
        hidden = self.thin(self.decoder(torch.cat([start, self.read(targets[:, :-1])], 1))[0])
        scores = torch.bmm(self.attention(hidden), states.transpose(1, 2))
        context = torch.bmm(scores.softmax(2), states)
        output = self.combine(torch.cat([context, hidden], 2)).tanh()
        output = self.thin(output + self.second(self.thin(output))[0])
        logits = F.linear(output, self.words.weight, self.bias)
        return F.cross_entropy(logits.flatten(0, 1), targets.flatten(), label_smoothing=0.1)


model = Translator().to(options.device)
optimiser = torch.optim.Adam(model.parameters(), lr=1e-3)
sources, targets = (
    torch.tensor(workload.caption_words(SENTENCES * WORDS, seed))
    .view(SENTENCES, WORDS)
    .to(options.device)
    for seed in (2, 3)
)


def step():
    optimiser.zero_grad()
    with workload.narrow(options):
        value = model(sources, targets)
    value.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimiser.step()


workload.report_steps(options, "nmt_step", step, targets.numel(), targets.numel(), "words/s")
