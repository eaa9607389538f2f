// Every process starts others: 500 in all, far more than 64. RTE, and no MLE: what they share is little memory, though it counts for
// each. Each ends after 20 s by itself, so that a judge that fails to hold them does not take the machine down.
#include <atomic>
#include <new>
#include <vector>
#include <sys/mman.h>
#include <unistd.h>

int main() {
    std::vector<char> shared_by_all(2 << 20, 1);
    void* shared = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) return 1;
    auto* forks = new (shared) std::atomic<int>(0);
    alarm(20);
    while ((*forks)++ < 500) {
        // A child has no alarm of its parent's.
        if (fork() == 0) alarm(20);
    }
    // Until the alarm.
    while (shared_by_all.back()) pause();
}
